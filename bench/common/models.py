"""The models of the benchmarks: file, constants, and the number of states that they must have."""

import dataclasses
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
CLASSIC = ROOT.parent / "shared/models/murphi/classic"
BEEM = ROOT.parent / "shared/models/beem"


@dataclasses.dataclass(frozen=True)
class Model:
    name: str
    path: str  # below examples, the folder of the classic models, or that of BEEM
    is_classic: bool
    constants: tuple  # of (name, value)
    states: int  # as counted by `ram`, and by the model's authors or rumur where they have a count
    in_paper: str = ""  # what the paper at hand calls it
    is_beem: bool = False
    options: tuple = ()  # of strata
    verdict: str = "holds"  # "violated": there is an accepting cycle; the states are then those of the whole product

    @property
    def title(self):
        return " ".join([self.name, *(f"{name}={value}" for name, value in self.constants)])

    def file(self, classic_folder):
        if self.is_beem:
            return BEEM / self.path
        return (classic_folder if self.is_classic else EXAMPLES) / self.path

    def called(self, in_paper):
        return dataclasses.replace(self, in_paper=in_paper)


def example(name, states, **constants):
    return Model(name, f"{name}.m", False, tuple(constants.items()), states)


def classic(name, states, **constants):
    return Model(name, f"sym/{name}.m", True, tuple(constants.items()), states)


def beem(instance, states):
    """An instance of BEEM; its models may have deadlocks, which do not matter here."""
    family = instance.split(".")[0]
    return Model(instance, f"{family}/{instance}.dve", False, (), states, is_beem=True, options=("--deadlock", "off"))


def beem_property(instance, number, states, verdict="holds"):
    """An instance of BEEM with a property process."""
    family = instance.split(".")[0]
    return Model(f"{instance} P{number}", f"{family}/{instance}.prop{number}.dve", False, (), states, is_beem=True,
                 verdict=verdict)


def coherence(name, states):
    """A generated cache-coherence protocol."""
    return Model(name, f"../coherence/{name}.m", True, (), states)


# Wide graphs: at most a few hundred levels.
N_PETERSON_5 = classic("n_peterson", 628_868, N=5)
N_PETERSON_6 = classic("n_peterson", 17_704_917, N=6)
MCSLOCK1_4 = classic("mcslock1", 554_221, N=4)
MCSLOCK1_5 = classic("mcslock1", 59_318_541, N=5)
MCSLOCK2_3 = classic("mcslock2", 3_240_032, N=3)
MCSLOCK2_4 = classic("mcslock2", 0, N=4)  # the paper on part has 666,254,155
CACHE3_4 = classic("cache3", 762_114, ProcCount=4)
CACHE3_4_4 = classic("cache3", 4_500_996, ProcCount=4, ValueCount=4)
CACHE3_5 = classic("cache3", 6_819_042, ProcCount=5)
LDASH_4 = classic("ldash", 6_049_932, RemoteCount=4)
LIST6_5 = classic("list6", 560_185, CellCount=5)
LIST6_6 = classic("list6", 63_440_201, CellCount=6)
PETERSON_5 = example("peterson", 11_968_752, N=5)
MSI_4_2 = example("msi", 952_384, ProcCount=4, ValueCount=2)
MSI_4_3 = example("msi", 2_564_400, ProcCount=4, ValueCount=3)
MSI_5_1 = example("msi", 5_326_290, ProcCount=5, ValueCount=1)
MSI_5_2 = example("msi", 19_317_620, ProcCount=5, ValueCount=2)
WINDOW_3 = example("sliding_window", 438_636, Window=3, SeqSpace=6, Capacity=3)
WINDOW_8 = example("sliding_window", 104_663_488, SeqSpace=8, Window=4, Capacity=4)
WINDOW_4 = example("sliding_window", 4_695_768, Window=3, SeqSpace=6, Capacity=4)


COMP_MODEL = coherence("COMP_Model_3CC", 2_025_214)
ELEVATOR2_3, ANDERSON_6 = beem("elevator2.3", 7_667_712), beem("anderson.6", 18_206_917)
IPROTOCOL_5, LAMPORT_8 = beem("iprotocol.5", 31_071_582), beem("lamport.8", 62_669_317)


# Long graphs: hundreds to thousands of levels. Each grows with one constant, and its states by a polynomial.
def sliding_window(period):
    return example("sliding_window", 2378 * period, Period=period)


def long_window(period):
    """`period` must be a multiple of 6."""
    return example("sliding_window", 391_314 * period, Window=3, SeqSpace=6, Capacity=4, Period=period)


def file_transfer(chunks):
    return example("file_transfer", 1347 * chunks - 1016, Capacity=6, Retries=8, Chunks=chunks)


def token_ring(slots):
    """`slots` must be a multiple of 10."""
    return example("token_ring", 54 * slots**2 // 25 + 608 * slots // 5 + 247, Nodes=4, Share=slots // 10, Slots=slots)


def assembly_line(items):
    return example("assembly_line", 8192 * items - 61440, Stations=5, Capacity=3, Items=items)


# The families of BEEM in the tables of the paper on dddd, in sizes of a few seconds at most, and larger ones.
BEEM_SHORT = [beem("anderson.4", 29_641), beem("bakery.4", 157_003), beem("brp2.4", 679_993),
              beem("cambridge.5", 698_912), beem("collision.3", 434_530), beem("elevator.4", 888_053),
              beem("iprotocol.3", 1_013_456), beem("lann.4", 966_855), beem("leader_filters.5", 1_572_886),
              beem("lup.2", 495_720), beem("peterson.4", 1_119_560), beem("rether.4", 1_157_052),
              beem("telephony.3", 765_379), beem("train-gate.4", 789_808)]
BEEM_FULL = [beem("anderson.6", 18_206_917), beem("bakery.5", 7_866_401), beem("brp2.6", 5_742_313),
             beem("cambridge.6", 3_354_295), beem("collision.4", 41_465_543), beem("elevator.4", 888_053),
             beem("iprotocol.4", 3_290_916), beem("lann.3", 1_832_139), beem("leader_filters.7", 26_302_351),
             beem("lup.3", 1_948_617), beem("peterson.4", 1_119_560), beem("rether.6", 5_919_694),
             beem("telephony.4", 12_291_552), beem("train-gate.6", 5_904_140)]
