"""
Rules sheets: the rules in force at a table, in sentences of our own and in four languages.

`messages/` holds every sentence, one file a language; the code says only which of them a set of
rules needs. `sheet` makes a sheet, `text`, `html` and `pdf` set it, `pick` proposes rules for an
evening.
"""
