"""Every address of a class, for the matrix: who asks, and what comes back.

`Pia`, `Fay` and the coaches have accounts; inside the class they have other names, which nobody
outside may ever be sent.
"""

from django.contrib.auth.models import User
from django.test import Client

from games.people.person import account, encode
from games.people.visitor import Author
from replays.classes import children, members
from replays.classes.limits import today
from replays.homework import giving
from replays.models import ClassMember, Homework, SchoolClass
from replays.studies import writing

VISITORS = (
    "stranger",
    "guest",
    "account",
    "moderator",
    "coach elsewhere",
    "coach",
    "pupil",
    "former",
    "child",
)
NAMES = {
    "coach": "Mrs Quillfeather",
    "pupil": "Pia Zephyrine",
    "former": "Fay Oberlander",
    "child": "Zoe Winterbottom",
}
"""What the class calls its people; these words are on no other page."""

# By GET or POST: a status, or where one is led. `>class` is the class's own page.
# `new_codes` is sent without the coach's password, so nothing changes.
ADDRESSES = """
                       strang. guest   account moder.  other   coach   pupil   former  child
GET  my_classes        200     200     200     200     200     200     200     200     200
GET  join_class        200     200     200     200     200     200     200     200     200
GET  news              >log-in >log-in 200     200     200     200     200     200     200
POST news_settings     >log-in >log-in >news   >news   >news   >news   >news   >news   403
GET  stop_news         404     404     404     404     404     404     404     404     404
POST stop_news         404     404     404     404     404     404     404     404     403
GET  practice          200     200     200     200     200     200     200     200     200
POST enter_class       >log-in >log-in 200     200     200     200     200     200     403
GET  school_class      >log-in >log-in 404     404     404     200     200     404     200
GET  class_together    >log-in >log-in 404     404     404     200     200     404     200
POST follow_class      >log-in >log-in 404     404     404     >class  >class  404     403
POST change_class      404     404     404     404     404     >class  403     404     403
POST change_member     404     404     404     404     404     >class  403     404     403
GET  season            >log-in >log-in 404     404     404     200     200     404     200
GET  class_tags        >log-in >log-in 404     404     404     200     200     404     200
GET  class_tags_csv    >log-in >log-in 404     404     404     200     200     404     200
GET  homework_sheet    404     404     404     404     404     200     403     404     403
GET  sheet_csv         404     404     404     404     404     200     403     404     403
GET  class_wall        >log-in >log-in 404     404     404     200     200     404     200
POST seat_class        404     404     404     404     404     >wall   403     404     403
POST change_tables     404     404     404     404     404     >wall   403     404     403
GET  pupil             >log-in >log-in 404     404     404     200     200     404     404
POST send_drill        404     404     404     404     404     >pupil  403     404     403
GET  new_children      404     404     404     404     404     200     403     404     403
POST new_codes         404     404     404     404     404     >class  403     404     403
GET  codes             404     404     404     404     404     >class  403     404     403
POST codes             404     404     404     404     404     >class  403     404     403
GET  change_child      404     404     404     404     404     >class  403     404     403
POST change_child      404     404     404     404     404     >class  403     404     403
GET  leave_class       404     404     404     404     404     200     200     404     200
POST leave_class       404     404     404     404     404     >class  >mine   404     403
POST restore_class     >log-in >log-in 404     404     404     404     404     404     403
GET  new_homework      404     404     404     404     404     200     403     404     403
GET  homework          >log-in >log-in 404     404     404     200     200     404     200
GET  homework_csv      404     404     404     404     404     200     403     404     403
GET  class_csv         404     404     404     404     404     200     403     404     403
POST change_homework   404     404     404     404     404     >given  403     404     403
"""
OF_NO_CLASS = (*("my_classes", "join_class", "enter_class", "practice"), *("news", "news_settings"))
OF_HOMEWORK = ("homework", "homework_csv", "change_homework")
SAID = {
    "change_member": {"do": "rename", "name": "Pia Zephyrine"},
    "change_class": {"do": "rename", "name": "4b"},
    "change_homework": {"do": "delete"},
    "change_child": {"do": "delete"},
}


def rows() -> dict[tuple[str, str], list[str]]:
    """By method and name, each visitor's cell."""
    _, _, *lines = ADDRESSES.splitlines()
    by_address = {}
    for line in lines:
        method, name, *cells = line.split()
        by_address[method, f"replays:{name}"] = cells
    return by_address


class ClassWorld:
    """A class with a coach, a pupil and a former pupil, and another coach's class."""

    def __init__(self) -> None:
        self.coach, colin = (User.objects.create_user(name) for name in ("Cora", "Colin"))
        self.pupil, self.former = (User.objects.create_user(name) for name in ("Pia", "Fay"))
        self.elsewhere = colin
        members.create(colin, "5a")
        self.school_class = members.create(self.coach, "4b")
        for user, name in ((self.pupil, NAMES["pupil"]), (self.former, NAMES["former"])):
            members.join(self.school_class, user, name)
        members.rename_member(self.member(self.coach), NAMES["coach"])
        (card,) = children.make(self.school_class, [NAMES["child"]])
        self.child = User.objects.get(username=card.log_in)
        self.homework = self._given()
        members.leave(self.member(self.former))

    def _given(self) -> Homework:
        author = Author(encode(account(self.coach.pk)), "Cora", self.coach)
        lesson = writing.create(author, "study-of-a-class", "Openings")
        return giving.give(self.school_class, self.coach, lesson, today())

    def member(self, user: User) -> ClassMember:
        """What somebody is in the class."""
        return ClassMember.objects.get(school_class=self.school_class, user=user)

    def browser(self, visitor: str) -> Client | None:
        """The browser of one of its people; None: this world does not know that visitor."""
        people = {
            "coach elsewhere": self.elsewhere,
            "coach": self.coach,
            "pupil": self.pupil,
            "former": self.former,
            "child": self.child,
        }
        if visitor not in people:
            return None
        client = Client()
        client.force_login(people[visitor])
        return client

    def arguments(self, name: str) -> list[str | int]:
        """What the address of that name is made of."""
        if name == "replays:stop_news":
            return ["none"]
        if name.removeprefix("replays:") in OF_NO_CLASS:
            return []
        key = SchoolClass.objects.get(pk=self.school_class.pk).key
        more: dict[str, list[str | int]] = {
            "replays:change_child": [self.member(self.pupil).pk],
            "replays:change_member": [self.member(self.pupil).pk],
            "replays:pupil": [self.member(self.pupil).pk],
            "replays:send_drill": [self.member(self.pupil).pk],
            **{f"replays:{part}": [self.homework.key] for part in OF_HOMEWORK},
        }
        return [key, *more.get(name, [])]
