"""YAML files: read, with a sentence for what is none."""

from pathlib import Path

import yaml

from tools.refusal import Refusal


class Loader(yaml.SafeLoader):
    """Of a key that stands there twice YAML's own takes the last, and says nothing; of what looks like a date or a
    number and is none, as 2026-02-30, it raises what is no error of YAML."""

    def compose_mapping_node(self, anchor):
        node, known = super().compose_mapping_node(anchor), set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode):
                if key.value in known:
                    raise yaml.composer.ComposerError(None, None, f"the key \"{key.value}\" stands there twice",
                                                      key.start_mark)
                known.add(key.value)
        return node

    def construct_object(self, node, deep=False):
        try:
            return super().construct_object(node, deep)
        except (ValueError, KeyError, AttributeError) as error:
            kind = node.tag.rpartition(":")[2]
            raise yaml.constructor.ConstructorError(None, None, f"\"{node.value}\" is no {kind}",
                                                    node.start_mark) from error


def read(file):
    try:
        return yaml.load(Path(file).read_text(encoding="utf-8"), Loader)
    except OSError as error:
        raise Refusal(f"{file}: cannot be read ({error.strerror}); allowed: a file of YAML") from error
    except UnicodeDecodeError as error:
        raise Refusal(f"{file}: is no text in UTF-8 (byte {error.start + 1}); allowed: a file of YAML") from error
    except RecursionError as error:
        raise Refusal(f"{file}: is no YAML (it nests too deeply)") from error
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = "" if mark is None else f":{mark.line + 1}"
        problem = getattr(error, "problem", str(error).partition("\n")[0])
        raise Refusal(f"{file}{line}: is no YAML ({problem})") from error
