"""The two Python callables from which @SOURCE@ was ported, for an Inspector of executorch.devtools. Replace them by yours.

record_parity.py of etcore records their results; test.sh compares the plugin's results with them."""
import re


def parse_metadata(metadatas):
    """A delegate_metadata_parser: gets the metadata of one event, one per run; returns a dict, here for the first run."""
    if not metadatas or not metadatas[0]:
        return None
    text = metadatas[0].decode("latin-1")
    found = {name: re.search(key + r"=([0-9]+)", text) for name, key in (("cycles", "cycles"), ("acme_dram", "dram"))}
    return {name: int(match[1]) for name, match in found.items() if match}


def convert_time(name, ticks):
    """A delegate_time_scale_converter: converts ns to ms."""
    return ticks / 1000000
