"""Markdown tables, printed row by row, and the same figures for a JSON file."""


class Report:
    def __init__(self):
        self.figures = {}

    def heading(self, text):
        print(f"\n## {text}", flush=True)

    def text(self, text):
        print(f"\n{text}", flush=True)

    def table(self, name, columns, rows):
        """Prints a table and keeps its rows as `name`.

        `columns` are (heading, key, format); a value of None becomes a dash. `rows` are dictionaries, which may also have
        keys without a column.
        """
        print("\n| " + " | ".join(heading for heading, _, _ in columns) + " |")
        print("|---|" + "---:|" * (len(columns) - 1))
        kept = self.figures.setdefault(name, [])
        for row in rows:
            cells = ("–" if row.get(key) is None else form.format(row[key]) for _, key, form in columns)
            print("| " + " | ".join(cells) + " |", flush=True)
            kept.append(row)
        return kept
