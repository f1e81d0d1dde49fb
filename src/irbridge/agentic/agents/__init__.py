"""What drives the tools, one file each: it sees a task and tool results, never an oracle."""

from __future__ import annotations

from irbridge.agentic.agents.base import Agent
from irbridge.registry import Registry

AGENTS: Registry[Agent] = Registry("agent", "irbridge.agentic.agents", "AGENT", Agent, "irbridge.agentic_agents")
