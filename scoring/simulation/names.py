"""Invented teams. The same seed gives the same teams; no two have the same name."""

import random
import unicodedata
from dataclasses import dataclass

from scoring.simulation.dice import dice


def _words(text: str) -> list[str]:
    return text.split(",")


FIRST_NAMES = _words(
    "Ada,Albert,Alma,Amos,Annie,Arlo,Bea,Ben,Bernice,Boyd,Carl,Cecil,Clara,Cleo,Clyde,Cora,Dale,Darla,Della,"
    "Dwight,Earl,Edna,Eli,Ella,Elmer,Ernest,Estelle,Etta,Faye,Floyd,Frieda,Garland,Gene,Glenda,Grady,Gus,"
    "Harriet,Hattie,Hazel,Henry,Hollis,Ida,Irma,Irvin,Jesse,Joy,June,Kay,Lamar,Lena,Leon,Lester,Lillie,Lonnie,"
    "Lorene,Lou,Lyle,Mabel,Mack,Margo,Marvin,Maud,Milton,Minnie,Myrtle,Nan,Ned,Nell,Nora,Norris,Odell,Olga,Opal,"
    "Orville,Otis,Pearl,Percy,Ray,Rosa,Roy,Ruby,Rufus,Ruth,Sadie,Sam,Selma,Stella,Sylvia,Ted,Thelma,Troy,Velma,"
    "Vern,Viola,Virgil,Wade,Walt,Wanda,Willa,Zeke"
)
LAST_NAMES = _words(
    "Adair,Alsop,Arnett,Barlow,Beckham,Bexley,Birdsong,Blount,Bohannon,Boone,Bratcher,Brisco,Burleson,Callan,Carver,"
    "Chisum,Clayborn,Colvin,Cordova,Cottle,Crider,Dabney,Decker,Dillard,Doyle,Duval,Earp,Easley,Eubank,Fairley,"
    "Farris,Fisk,Fontaine,Gaines,Garza,Gentry,Gossett,Grimes,Haddock,Hargrove,Hatcher,Hobbs,Holub,Hruska,Ivey,Jarvis,"
    "Joiner,Kasper,Kelso,Kessler,Kubena,Lacy,Langley,Ledbetter,Lowry,Maddox,Mayhew,McCabe,McRae,Mikeska,Mobley,Nance,"
    "Navarro,Neely,Nichols,Novak,Oakes,Odom,Orr,Pavlas,Peavy,Pickett,Polk,Prater,Quick,Ragsdale,Rainey,Ramsey,Reyes,"
    "Rhodes,Rodney,Rusk,Salas,Sample,Schmidt,Sealy,Shiner,Simek,Slaton,Stovall,Sykes,Tate,Teague,Tinsley,Treadway,"
    "Tully,Upchurch,Vance,Vasek,Waddell,Weems,Whitley,Winkler,Yancey,Zapata"
)
PLACES = _words(
    "Bluebonnet,Bobcat Bend,Brushy Creek,Buttermilk Hill,Caliche Road,Cedar Fork,Cottonwood,Coyote Draw,Cypress Mill,"
    "Dry Branch,Dusty Lane,Feed Store,Fencepost,Fire Hall,Flat Rock,Gin House,Goat Hill,Gravel Pit,Green Lake,"
    "Hackberry,Hay Loft,Honey Grove Road,Iron Bridge,Jackrabbit,Juniper,Limestone,Live Oak,Long Branch,Lost Mule,"
    "Mesquite,Mockingbird,Mud Creek,Old Depot,Paint Horse,Parish Hall,Pecan Bottom,Persimmon,Pin Oak,Post Oak,"
    "Prairie Dog,Quail Run,Railhead,Rattlesnake,Redbird,Roadrunner,Rock Porch,Sandy Creek,Scissortail,Screen Door,"
    "Sorghum,Sugar Hill,Sulphur Spring,Sunday Morning,Sycamore,Tin Roof,Turkey Creek,Wagon Wheel,White Gate,"
    "Wild Plum,Windmill"
)
NOUNS = _words(
    "Aces,Bidders,Blanks,Bones,Bonetenders,Callers,Counters,Deuces,Doubles,Drifters,Eighty-Fours,Followers,Four-Twos,"
    "Kitchen Table,Knockers,Markers,Partners,Pounders,Renegers,Setters,Shakers,Shufflers,Sixes,Spinners,Splashers,"
    "Trumps,Walkers"
)

SPECIAL = (
    ("José y María Muñoz Peña", ("José Muñoz", "María Peña")),
    ("O'Malley's Off-Suit", ("Nell O'Malley", "D'Arcy O'Dell")),
    (
        "The Honorable and Benevolent Society of Patient Domino Players of the Lower Sandy Creek Prairie, Third Table",
        ("Bartholomew Archibald Featherstonehaugh-Winterbottom the Younger", "Al Ng"),
    ),
    ("שש שש", ("נועה לוי", "דניאל כהן")),
    ("Boots & Bones 🤠", ("Dottie Kříž", "Jörg Weiß")),
)
"""Teams in every field that is large enough: accents, an apostrophe, a long name, right to left, an emoji."""

MOST_TEAMS = 1024


@dataclass(frozen=True, slots=True)
class TeamNames:
    """A team and its two players."""

    name: str
    players: tuple[str, str]


def team_names(count: int, seed: int) -> list[TeamNames]:
    """`count` teams (up to `MOST_TEAMS`) in the order in which they are entered."""
    if not 1 <= count <= MOST_TEAMS:
        raise ValueError(f"from 1 to {MOST_TEAMS} teams, not {count}")
    rng = dice(seed, "teams")
    special = [TeamNames(name, players) for name, players in SPECIAL[: count // 3]]
    teams = special + _plain(count - len(special), rng)
    rng.shuffle(teams)
    return teams


def _plain(count: int, rng: random.Random) -> list[TeamNames]:
    names = [f"{place} {noun}" for place in PLACES for noun in NOUNS]
    people = [f"{first} {last}" for first in FIRST_NAMES for last in LAST_NAMES]
    rng.shuffle(names)
    drawn = rng.sample(people, 2 * count)
    taken = {_folded(name) for name, _ in SPECIAL}
    teams = []
    for first, second in zip(drawn[::2], drawn[1::2], strict=True):
        name = " & ".join(sorted((first.split()[-1], second.split()[-1])))
        if rng.random() < 0.55 or _folded(name) in taken:
            name = names.pop()
        taken.add(_folded(name))
        teams.append(TeamNames(name, (first, second)))
    return teams


def _folded(name: str) -> str:
    """Names that differ only by accents or case are one name for the site."""
    decomposed = unicodedata.normalize("NFKD", name)
    return "".join(char for char in decomposed if not unicodedata.combining(char)).casefold()
