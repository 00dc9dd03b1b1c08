"""A study as one file: a zip of the records it needs, with an index of everything else.

    index.json         title, introduction, chapters, and each record's notes and variations
    records/1.ratuki   the matches, in the order in which chapters first name them

Notes and variations are as in a record (docs/reference/record-format.md). A file is read strictly:
only the index's files, everything within bounds before it is unpacked, and every record and note
checked like any other. The imported study belongs to the importer.
"""
