"""A hook of Hatchling: the wheel carries the program MCP_CONFORM_PROGRAM, for the platforms MCP_CONFORM_TAG."""

import os

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Carry(BuildHookInterface):
    def initialize(self, version, build_data):
        program = os.environ["MCP_CONFORM_PROGRAM"]
        build_data["shared_scripts"][program] = os.path.basename(program)
        build_data["pure_python"] = False
        build_data["tag"] = "py3-none-" + os.environ["MCP_CONFORM_TAG"]
