"""`irbridge agentic seal`: the manifest of a fixture, for its author."""

from __future__ import annotations

import click

from irbridge.cli.command import command, option, screen_of


@command(
    "seal",
    short_help="Write the manifest of a fixture and check all of it.",
    arguments=(("DIR", "The folder with tasks/, oracles/ and corpus/."),),
    exits=((0, "sealed"), (2, "a check fails; nothing is written")),
    examples=(
        "irbridge agentic seal mine --version 1 --license MIT --provenance ours",
        "irbridge agentic seal mine --version 1.1",
    ),
)
@click.argument("folder", metavar="DIR")
@option("--version", "version", metavar="TEXT", help="The version of the fixture. Default: that of its manifest.")
@option("--license", "license_name", metavar="TEXT", help="Its licence. Default: likewise.")
@option("--provenance", metavar="TEXT", help="Where it comes from. Default: likewise.")
@option("--uri-scheme", "scheme", metavar="NAME", help="What URIs begin with. Default: likewise, else corpus.")
@click.pass_context
def seal(context: click.Context, /, *, folder: str, **given: str | None) -> int:
    """Hash every file of a fixture into manifest.json, and load the fixture that it then is.

    A fixture that is changed afterwards is refused wherever it is used, until it is sealed again.
    """
    from irbridge.agentic.sealing import sealed_as
    from irbridge.renderers import Page, Remark, counted

    fixture = sealed_as(folder, **given)
    said = [counted(len(fixture.tasks), "task"), counted(len(fixture.snapshot.sources), "document")]
    data = {"folder": folder, "fixtureFingerprint": fixture.fingerprint, "tasks": sorted(fixture.tasks)}
    blocks = [Remark("sealed", [folder, *said], "good"), Remark("fingerprint", [fixture.fingerprint])]
    screen_of(context).show(Page(blocks, data))
    return 0


COMMAND = seal
