"""Reads the evidence of an attempt and replies with a score, a verdict and a reason."""
import json
import re
import sys

evidence = json.load(sys.stdin)
total = evidence["expectations"]["summary.json"]["total"]
text = (evidence["final_output"] or "").strip()
rules = {
    # And no other number: a reply that lists many numbers states none.
    "states the total": re.findall(r"\d+", text) == [str(total)],
    "is one sentence": text.endswith(".") and text.count(".") == 1,
}
broken = [rule for rule, holds in rules.items() if not holds]
print(json.dumps({
    # The form is worth something only with the total.
    "score": 0 if "states the total" in broken else 1 - len(broken) / len(rules),
    "passed": not broken,
    "reason": "the output " + ("is as required" if not broken else "breaks the rules: " + ", ".join(broken)),
}))
