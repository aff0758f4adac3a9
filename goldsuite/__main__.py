"""`python -m goldsuite` is the command itself."""

from goldsuite.cli import main

if __name__ == "__main__":
    main()
