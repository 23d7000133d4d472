import heapq
import re


def parse_duration(text):
    match = re.fullmatch(r"(?:(\d+)d\s*)?(?:(\d+)h\s*)?(?:(\d+)m\s*)?(?:(\d+)s)?", text)
    if not match or not any(match.groups()):
        raise ValueError(f"not a duration: {text!r}")
    days, hours, minutes, seconds = (int(part or 0) for part in match.groups())
    return ((days * 24 + hours) * 60 + minutes) * 60 + seconds


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
        raise ValueError(f"no Roman number: {number}")
    signs = ["M", "CM", "D", "CD", "C", "XC", "L", "XL", "X", "IX", "V", "IV", "I"]
    values = [1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1]
    text = ""
    for sign, value in zip(signs, values):
        count, number = divmod(number, value)
        text += sign * count
    return text


def split_csv_line(line):
    fields, field, quoted, at = [], "", False, 0
    while at < len(line):
        char = line[at]
        if quoted and char == '"' and line[at + 1 : at + 2] == '"':
            field += '"'
            at += 1
        elif char == '"':
            quoted = not quoted
        elif char == "," and not quoted:
            fields.append(field)
            field = ""
        else:
            field += char
        at += 1
    if quoted:
        raise ValueError("open quote")
    return fields + [field]


def build_order(needs):
    waiting = {target: len(set(needed)) for target, needed in needs.items()}
    ready = [target for target, count in waiting.items() if count == 0]
    heapq.heapify(ready)
    order = []
    while ready:
        done = heapq.heappop(ready)
        order.append(done)
        for target, needed in needs.items():
            if done in needed:
                waiting[target] -= 1
                if waiting[target] == 0:
                    heapq.heappush(ready, target)
    if len(order) < len(needs):
        raise ValueError("cycle")
    return order


def share_cents(amount, weights):
    total = sum(weights)
    shares = [amount * weight // total for weight in weights]
    cut_off = [amount * weight % total for weight in weights]
    by_fraction = sorted(range(len(weights)), key=lambda index: (-cut_off[index], index))
    for index in by_fraction[: amount - sum(shares)]:
        shares[index] += 1
    return shares


def balanced(text):
    pairs, stack, quote = {")": "(", "]": "[", "}": "{"}, [], None
    for char in text:
        if quote:
            quote = None if char == quote else quote
        elif char in "'\"":
            quote = char
        elif char in "([{":
            stack.append(char)
        elif char in pairs and (not stack or stack.pop() != pairs[char]):
            return False
    return not stack and quote is None
