"""The contract's tools over the Model Context Protocol: any server's process, its tools mapped by a config.

    config -> preflight (its tools, its schemas) -> connection (process, SDK) -> mapping (calls out, results in)

The SDK (extra `mcp`) is imported inside functions. What a server sends is somebody else's: lines, results and places
are checked before they become evidence, and a server that cannot be trusted to end is ended.
"""
