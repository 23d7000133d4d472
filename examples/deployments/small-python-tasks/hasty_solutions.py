import re


def parse_duration(text):
    units = {"d": 86400, "h": 3600, "m": 60, "s": 1}
    return sum(int(count) * units[unit] for count, unit in re.findall(r"(\d+)([dhms])", text))


def merge_intervals(intervals):
    merged = []
    for start, end in sorted(intervals):
        if merged and start <= merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], end)
        else:
            merged.append([start, end])
    return merged


def roman_number(number):
    if not 1 <= number <= 3999:
        raise ValueError(number)
    text = ""
    for places, signs in ((1000, "M"), (100, "CDM"), (10, "XLC"), (1, "IVX")):
        digit = number // places % 10
        if len(signs) == 1:
            text += signs * digit
        else:
            one, five, ten = signs
            text += ["", one, one * 2, one * 3, one + five, five, five + one, five + one * 2, five + one * 3, one + ten][digit]
    return text


def split_csv_line(line):
    return line.split(",")


def build_order(needs):
    order = []
    while len(order) < len(needs):
        ready = [target for target in needs if target not in order and set(needs[target]) <= set(order)]
        if not ready:
            raise ValueError("a cycle")
        order.append(min(ready))
    return order


def share_cents(amount, weights):
    shares = [amount * weight // sum(weights) for weight in weights]
    shares[0] += amount - sum(shares)
    return shares


def balanced(text):
    pairs, stack = {")": "(", "]": "[", "}": "{"}, []
    for char in text:
        if char in "([{":
            stack.append(char)
        elif char in pairs and (not stack or stack.pop() != pairs[char]):
            return False
    return not stack
