"""Where everything is installed, a skipped test is a failed one."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
TEST = "import pytest\ndef test_x(): pytest.skip('no browser')\ndef test_y(): pass\n"
MODULE = "import pytest\npytest.importorskip('no_such_module')\n"


def test_skipped_tests_and_modules_fail(tmp_path: Path) -> None:
    (tmp_path / "test_test.py").write_text(TEST, encoding="utf-8")
    (tmp_path / "test_module.py").write_text(MODULE, encoding="utf-8")
    options = ["-c", os.devnull, "-p", "tests.noskips", "--continue-on-collection-errors"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, tmp_path],
        cwd=ROOT,
        env=os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "Nothing may be skipped in this run. Skipped: no browser" in done.stdout
    assert "Nothing may be skipped in this run. Skipped: could not import" in done.stdout
    assert "1 failed, 1 passed, 1 error" in done.stdout
