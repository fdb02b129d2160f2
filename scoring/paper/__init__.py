"""What is printed: PDFs of cards, scoresheets and the bracket. Only words and figures are made here; how they lie
on the page is in `templates/paper/*.typ`."""
