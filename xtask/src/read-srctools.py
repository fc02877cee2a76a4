"""Reads DMX files with srctools and compares what it sees with the list beside each."""

import struct
import sys
from pathlib import Path

from srctools.dmx import NULL, Element, ValueType

NAMES = {ValueType.ANGLE: "qangle", ValueType.MATRIX: "matrix"}


def text(value):
    return value.encode("utf8").hex()


def floats(values):
    return " ".join(struct.pack(">f", value).hex() for value in values)


def item(kind, value):
    if kind is ValueType.ELEMENT:
        if value is NULL:
            return "null"
        return ("ext:" if value.is_stub else "") + str(value.uuid)
    if kind in (ValueType.INT, ValueType.BOOL):
        return str(int(value))
    if kind is ValueType.FLOAT:
        return floats([value])
    if kind is ValueType.STRING:
        return text(value)
    if kind is ValueType.BINARY:
        return bytes(value).hex()
    if kind is ValueType.TIME:
        return str(round(value.value * 10000))
    if kind is ValueType.COLOR:
        return " ".join(str(part) for part in value)
    return floats(value)


def seen(root):
    order, known = [root], {root.uuid}
    for element in order:
        guid = str(element.uuid)
        yield ["element", text(element.type), text(element.name), guid]
        for attribute in element.values():
            if attribute.name == "name":
                continue
            kind = attribute.type
            values = list(attribute._value) if attribute.is_array else [attribute._value]
            name = NAMES.get(kind, kind.value)
            yield ["array" if attribute.is_array else "value", guid, text(attribute.name), name] + [item(kind, v) for v in values]
            if kind is ValueType.ELEMENT:
                for value in values:
                    if value is not NULL and not value.is_stub and value.uuid not in known:
                        known.add(value.uuid)
                        order.append(value)


def comparable(line, is_text):
    """srctools keeps angles from 0 to 360, and of external references in text not which they are."""
    if line[0] == "element" or line[3] not in ("qangle", "element"):
        return line
    if line[3] == "element":
        return [item[:4] if is_text and item.startswith("ext:") else item for item in line]

    def turn(vector):
        return floats(struct.unpack(">f", bytes.fromhex(bits))[0] % 360 for bits in vector.split(" "))
    return line[:4] + [turn(vector) for vector in line[4:]]


def main():
    bad = 0
    for file in map(Path, sys.argv[1:]):
        expected = [line.split("\t") for line in file.with_suffix(".txt").read_text().splitlines()]
        with file.open("rb") as opened:
            root, _, _ = Element.parse(opened, unicode=True)
        found = list(seen(root))
        is_text = "keyvalues2" in file.name
        expected, found = ([comparable(line, is_text) for line in lines] for lines in (expected, found))
        if expected != found:
            bad += 1
            for one, other in zip(expected, found):
                if one != other:
                    print(f"{file.name}: written {one}, seen {other}")
                    break
            else:
                print(f"{file.name}: {len(expected)} lines written, {len(found)} seen")
    print(f"srctools sees {len(sys.argv) - 1 - bad} of {len(sys.argv) - 1} graphs as they are")
    return 1 if bad else 0


sys.exit(main())
