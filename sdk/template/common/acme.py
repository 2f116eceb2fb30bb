"""What @SOURCE@ was ported from: the two callables for an Inspector of executorch.devtools. YOURS in its place.

record_parity.py of etcore records what they answer; test.sh asks the plugin the same."""
import re


def parse_metadata(metadatas):
    """A delegate_metadata_parser: every run's metadata of one event in, a dict out; here of the first run."""
    if not metadatas or not metadatas[0]:
        return None
    text = metadatas[0].decode("latin-1")
    found = {name: re.search(key + r"=([0-9]+)", text) for name, key in (("cycles", "cycles"), ("acme_dram", "dram"))}
    return {name: int(match[1]) for name, match in found.items() if match}


def convert_time(name, ticks):
    """A delegate_time_scale_converter: ns to ms."""
    return ticks / 1000000
