"""What a correction, an undo or doing it again has changed, in sentences for everybody at the table."""

from collections import Counter
from collections.abc import Sequence

from rules.events import Attempted, Banked, Corrected, Ended, Event, Kept, Taken, Thrown, Undone
from rules.fold import game_of
from rules.game import Scoreboard
from rules.record import Move, Record
from rules.retelling import Threw, ToldTurn, steps, turns
from rules.wording import dice_text, points_text
from speech.sentence import Sentence, joined, listed, say, say_many

ORDINAL = (
    *(say("first"), say("second"), say("third"), say("fourth"), say("fifth")),
    *(say("sixth"), say("seventh"), say("eighth"), say("ninth"), say("tenth")),
)


def sentences(before: Record, after: Record) -> tuple[str, ...]:
    """About the move that made `after` of `before`; nothing where the board says it all."""
    move = after.moves[-1]
    if move == (Undone(),):
        return (undone(before, after),)
    if len(after.taken) < len(before.taken) and before.taken[-1] == move:
        return (done_again(before, after),)
    corrections = [event for event in move if isinstance(event, Corrected)]
    return correction(before, after, corrections[-1]) if corrections else ()


def correction(before: Record, after: Record, event: Corrected) -> tuple[str, ...]:
    """`after`: `before` with the throw that `event` names corrected. What became of the points, first of whoever threw
    it; then what else had to change."""
    was, now = _turns(before), _turns(after)
    turn, throw = _throw(now, event.throw)
    old = _throw(was, event.throw)[1]
    whose = _named(turn, throw, now, before.board.players[turn.player].name)
    differences = _differences(before.board, after.board)
    own = _difference(differences[turn.player])
    said = [
        say(
            "{throw} is {new} now, not {old}: {points}.",
            throw=whose,
            new=dice_text(throw.values),
            old=dice_text(old.values),
            points=own,
        )
    ]
    said += [
        say("{name}: {points}.", name=player.name, points=_difference(points))
        for index, (player, points) in enumerate(zip(after.board.players, differences, strict=True))
        if points and index != turn.player and player.team in (None, *_others(after.board, turn.player))
    ]
    return (*said, *_besides(before, after, old, throw))


def _besides(before: Record, after: Record, old: Threw, new: Threw) -> list[str]:
    """What changed that nobody has said."""
    said = []
    dropped = _count(before, Thrown) - _count(after, Thrown)
    if dropped:
        said.append(say_many("The throw after it no longer counts.", "{count} later throws count no more.", dropped))
    if old.kept != new.kept and _choices(after) - _choices(before):
        said.append(say("{dice} is set aside from it.", dice=dice_text(new.kept)))
    if _count(after, Banked) > _count(before, Banked):
        said.append(say("It counts as banked."))
    return said + _ending(before.board, after.board)


def _ending(before: Scoreboard, after: Scoreboard) -> list[str]:
    if before.status == "over" != after.status:
        return [say("The game goes on.")]
    if after.status == "over" and after.winners != before.winners:
        names = listed([after.players[index].name for index in after.winners])
        return [say_many("{names} has won.", "{names} have won.", len(after.winners), names=names)]
    return []


def undone(before: Record, after: Record) -> Sentence:
    """`after`: `before` with its last move taken back."""
    return say("Undone: {move}.", move=told(after, before.standing[-1]))


def done_again(before: Record, after: Record) -> Sentence:
    return say("Done again: {move}.", move=told(before, after.standing[-1]))


def told(record: Record, move: Move) -> Sentence:
    """What `move` did, played on `record`."""
    game, state = game_of(record.started), record.state
    said: list[Sentence] = []
    for event in move:
        board = game.board(state)
        name = board.players[board.turn.player].name if board.turn else ""
        said.append(_told(event, name, board))
        if not isinstance(event, Corrected):
            state = game.play(state, event)
    return said[0] if len(said) == 1 else say("{first}, then {rest}", first=said[0], rest=joined(said[1:], ", "))


def _told(event: Event, name: str, board: Scoreboard) -> Sentence:
    match event:
        case Thrown(values=values):
            return say("{name} threw {dice}", name=name, dice=dice_text(values))
        case Kept(dice=dice, with_coloured=joins):
            if joins:
                return say("{name} set {dice} and the coloured die aside", name=name, dice=dice_text(dice))
            return say("{name} set {dice} aside", name=name, dice=dice_text(dice))
        case Attempted(what=what):
            if what == "straight":
                return say("{name} tried for a straight", name=name)
            return say("{name} tried for a triple", name=name)
        case Taken():
            return say("{name} took over the dice of the player before", name=name)
        case Banked():
            turn = board.turn
            best = max((option.score for option in turn.options), default=0) if turn and not turn.aside else 0
            points = turn.score + best if turn else 0
            return say("{name} banked {points}", name=name, points=points_text(points))
        case Corrected(throw=throw, values=values):
            return say("throw {throw} was corrected to {dice}", throw=throw, dice=dice_text(values))
        case Ended():
            return say("the game was ended")
    return say("a move")


def _turns(record: Record) -> tuple[ToldTurn, ...]:
    return turns(steps(record.started, record.facts))


def _throw(found: Sequence[ToldTurn], number: int) -> tuple[ToldTurn, Threw]:
    return next((turn, throw) for turn in found for throw in turn.throws if throw.number == number)


def _named(turn: ToldTurn, throw: Threw, found: Sequence[ToldTurn], name: str) -> Sentence:
    """ "Ann's second throw", of an earlier turn with its number."""
    place = turn.throws.index(throw)
    ordinal = ORDINAL[place] if place < len(ORDINAL) else say("{number}th", number=place + 1)
    if any(later.throws for later in found[turn.number :]):
        return say("{name}'s {ordinal} throw in turn {turn}", name=name, ordinal=ordinal, turn=turn.number)
    return say("{name}'s {ordinal} throw", name=name, ordinal=ordinal)


def _differences(before: Scoreboard, after: Scoreboard) -> list[int]:
    return [new - old for old, new in zip(_standing(before), _standing(after), strict=True)]


def _standing(board: Scoreboard) -> list[int]:
    """Scores, with what is at risk."""
    turn = board.turn
    risk = 0
    if turn is not None:
        hoped = max((option.score for option in turn.options), default=0) if not turn.aside else 0
        risk = turn.score + hoped
    return [p.score + (risk if turn and turn.player == index else 0) for index, p in enumerate(board.players)]


def _difference(points: int) -> Sentence:
    if not points:
        return say("the points stay as they are")
    if points > 0:
        return say("{points} more", points=points_text(points))
    return say("{points} less", points=points_text(-points))


def _others(board: Scoreboard, player: int) -> set[int | None]:
    """The teams that the player is not of."""
    return {each.team for each in board.players} - {board.players[player].team}


def _choices(record: Record) -> Counter[Kept]:
    return Counter(fact for fact in record.facts if isinstance(fact, Kept))


def _count(record: Record, kind: type) -> int:
    return sum(isinstance(fact, kind) for fact in record.facts)
