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
    text = ""
    for sign, value in zip("MDCLXVI", [1000, 500, 100, 50, 10, 5, 1]):
        count, number = divmod(number, value)
        text += sign * count
    return text


def split_csv_line(line):
    return line.split(",")


def build_order(needs):
    order = []

    def visit(target):
        if target not in order:
            for needed in sorted(needs[target]):
                visit(needed)
            order.append(target)

    for target in sorted(needs):
        visit(target)
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
