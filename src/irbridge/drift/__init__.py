"""Which labels are still true of a corpus that has been chunked anew, and where the text of the others went (spec/drift.md)."""
