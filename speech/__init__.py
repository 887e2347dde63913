"""Sentences that remember how they were made, and catalogues to tell them in other languages."""
