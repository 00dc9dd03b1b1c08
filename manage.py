#!/usr/bin/env python3
"""Django's command line for this project."""

import os
import sys

from django.core.management import execute_from_command_line

from ratuki_site import __version__

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ratuki_site.settings")
    if sys.argv[1:] == ["--version"]:
        sys.stdout.write(f"{__version__}\n")
    else:
        execute_from_command_line(sys.argv)
