"""Compares random Murphi and DVE models with their text for a device, state by state.

    python3 random_models.py --program build/release/models_on_device --count 10 --seed 1

The models are those of tests/differential. Exit code: 0 all equal, 1 a difference; its seed is the name of the file.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "differential"))
import dve_generator  # noqa: E402
import murphi_generator  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for seed in range(arguments.seed, arguments.seed + arguments.count):
            texts = {".m": murphi_generator.generate(seed), ".dve": dve_generator.System(seed).dve()}
            for extension, text in texts.items():
                path = pathlib.Path(folder) / f"{seed}{extension}"
                path.write_text(text, encoding="utf-8")
                paths.append(str(path))
        command = [arguments.program, "--states", "500", "--kernels", "0", *paths]
        return subprocess.run(command, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
