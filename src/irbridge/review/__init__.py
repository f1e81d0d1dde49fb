"""Labels that only a person can decide: collected in a queue, decided on a page or in a terminal, and written back (spec/review.md)."""
