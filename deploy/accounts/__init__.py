"""Sign-in: django-allauth's views in our pages, the first owner, and accounts made by invitation."""
