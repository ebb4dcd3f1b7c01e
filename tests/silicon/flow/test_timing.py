"""Timing: a design gets a speed on every device, and what is missing or goes wrong is named in one line."""

import shutil
from pathlib import Path

import pytest

from noughts.extras import MissingToolError
from noughts.silicon.designs import DESIGNS
from noughts.silicon.flow import timing as module
from noughts.silicon.flow.synthesis import UnknownFamilyError, for_family, top_module
from noughts.silicon.flow.timing import DEVICES, REPORTED_PERIOD_NS, cells_slack, fpga_fmax, place_and_route, timing
from noughts.silicon.tools import ToolError

pytestmark = pytest.mark.slow

REFEREE = DESIGNS["referee2021"]


@pytest.mark.parametrize("name", DEVICES)
def test_the_referee_runs_at_some_speed(name: str) -> None:
    assert 20 < fpga_fmax(REFEREE, DEVICES[name]) < 1000


def test_the_same_seed_gives_the_same_speed_and_another_seed_another_place() -> None:
    netlist = for_family("ice40", REFEREE.rtlil(), REFEREE.identifier)
    first, again, other = (
        place_and_route("ice40", netlist, "hx1k", "vq100", freq=500, seed=seed) for seed in (1, 1, 2)
    )
    assert first == again
    assert first.config != other.config
    assert first.fmax < 500, "what cannot be reached is no error"


def test_pins_are_where_the_constraints_say_and_the_clock_is_that_of_the_design() -> None:
    netlist = for_family("ice40", REFEREE.rtlil(), REFEREE.identifier)
    pin = f"set_io {REFEREE.clock} 35\n"
    routed = place_and_route("ice40", netlist, "up5k", "sg48", pin, freq=12, seed=3)
    (clock,) = routed.report["fmax"].values()
    assert clock["constraint"] == pytest.approx(12, rel=0.01)
    assert routed.fmax == clock["achieved"]
    cells = top_module(netlist, REFEREE.identifier)["cells"].values()
    used = routed.report["utilization"]["ICESTORM_LC"]["used"]
    assert used >= sum(cell["type"] == "SB_LUT4" for cell in cells)
    assert ".device 5k" in routed.config
    elsewhere = place_and_route("ice40", netlist, "up5k", "sg48", pin.replace("35", "44"), freq=12, seed=3)
    assert elsewhere.config != routed.config


needs_cells = pytest.mark.skipif(
    shutil.which("sta") is None or not module._LIBRARY.exists(), reason="needs sta and qflow-tech-osu035"
)


@needs_cells
def test_cells_are_timed_from_register_to_register() -> None:
    """The referee has one step to do in a cycle, the chip of 1990 several."""
    (chip, _), (referee, _) = (cells_slack(design, 50) for design in (DESIGNS["chip1990"], REFEREE))
    assert 0 < chip < referee < 49


@needs_cells
def test_a_longer_period_gives_as_much_more_to_set_up_and_nothing_to_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    (setup, hold), (late, same) = cells_slack(REFEREE, 2), cells_slack(REFEREE, 20.5)
    assert setup < 0 < hold < 2, "500 MHz is too much for these cells"
    assert late - setup == pytest.approx(18.5, abs=1e-4)
    assert same == hold
    monkeypatch.setattr(module, "for_library", lambda *_: None)
    with pytest.raises(ToolError, match=r"timing of referee2021 in osu035: OpenSTA says '.+'"):
        cells_slack(REFEREE, 20)


def test_the_period_is_the_one_that_the_reports_own_figures_give() -> None:
    """72.1 MHz and a setup slack of 1.131 ns; its clock has three digits, so the period is known to a few ps."""
    fastest, slowest = 1000 / 72.15 + 1.1305, 1000 / 72.05 + 1.1315
    assert fastest < REPORTED_PERIOD_NS < slowest
    assert slowest - fastest < 0.025


@pytest.fixture
def instant(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "fpga_fmax", lambda _design, device: {"hx8k": 100.0, "25k": 200.0}[device.device])


@pytest.mark.usefixtures("instant")
def test_without_opensta_there_is_no_osu035_and_it_is_said_why(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    found = timing(REFEREE)
    assert found.fmax_mhz == {"ice40_hx8k": 100.0, "ecp5_25k": 200.0, "osu035": None}
    assert found.slack_ns == {"ice40_hx8k": (5, None), "ecp5_25k": (10, None), "osu035": (None, None)}
    (skipped,) = found.skipped
    assert "needs sta" in skipped
    assert "opensta" in skipped


@pytest.mark.usefixtures("instant")
def test_without_the_cells_there_is_no_osu035_and_it_is_said_why(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(module, "need_program", lambda *_: "sta")
    monkeypatch.setattr(module, "_LIBRARY", tmp_path / "osu035_stdcells.lib")
    found = timing(REFEREE)
    assert found.fmax_mhz["osu035"] is None
    (skipped,) = found.skipped
    assert "needs osu035_stdcells.lib" in skipped
    assert "qflow-tech-osu035" in skipped


@pytest.mark.parametrize("name", DEVICES)
def test_without_nextpnr_nothing_is_timed_and_it_is_said_what_to_install(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("noughts.extras.find_spec", lambda name: None if "nextpnr" in name else name)
    with pytest.raises(MissingToolError, match=r"needs yowasp-nextpnr-\w+, which is not installed: pip install"):
        fpga_fmax(REFEREE, DEVICES[name])


@pytest.mark.parametrize(
    ("netlist", "device", "package"),
    [("no netlist", "hx8k", "ct256"), ("{}", "hx99k", "ct256"), ("{}", "hx8k", "ct999")],
)
def test_what_nextpnr_complains_of_is_said_in_one_line(netlist: str, device: str, package: str) -> None:
    with pytest.raises(ToolError, match="place and route for ice40") as error:
        place_and_route("ice40", netlist, device, package)
    assert "\n" not in str(error.value)


def test_an_unknown_family_is_not_placed() -> None:
    with pytest.raises(UnknownFamilyError, match="'spartan6' is not a family of FPGAs: expected ice40 or ecp5"):
        place_and_route("spartan6", "{}", "slx9", "tqg144")
