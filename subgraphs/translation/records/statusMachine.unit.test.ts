import { type Status, statuses } from './model.ts';
import {
  allowedTransitions,
  checkTransition,
  type TransitionSubject,
  type TransitionVerdict,
  transitions,
} from './statusMachine.ts';

const manager = { id: 'usr_manager', manages: true };
const contributor = { id: 'usr_contributor', manages: false };
const subject = (status: Status, options: Partial<TransitionSubject> = {}): TransitionSubject => ({
  status,
  live: false,
  assigneeId: null,
  ...options,
});

const ok = 'allowed';
const none = 'invalid_transition';
const manage = 'transition_not_allowed';
const mine = 'not_assignee';

/** Verdicts for a contributor on an unassigned text, from each status (row) to each status (column). */
const forContributor: Record<Status, TransitionVerdict[]> = {
  //             draft  in_progress needs_review published archived
  draft: [none, ok, ok, manage, manage],
  in_progress: [ok, none, ok, manage, manage],
  needs_review: [manage, mine, none, manage, manage],
  published: [manage, ok, none, none, manage],
  archived: [manage, none, none, none, none],
};
type Pair = readonly [from: Status, to: Status, unassigned: TransitionVerdict];
const pairs = statuses.flatMap((from) =>
  statuses.map((to, column): Pair => [from, to, forContributor[from][column] as TransitionVerdict]),
);
/** The pairs with their verdicts in another case. */
const pairsWith = (verdictOf: (...pair: Pair) => TransitionVerdict) =>
  pairs.map(([from, to, unassigned]): Pair => [from, to, verdictOf(from, to, unassigned)]);

test.each(pairs)(
  'moving an unassigned text from %s to %s results in %s for a contributor',
  (from, to, verdict) => {
    expect(checkTransition(subject(from), to, contributor)).toBe(verdict);
  },
);

test.each(pairsWith((from, to) => (transitions[from][to] === undefined ? none : ok)))(
  'moving a text from %s to %s results in %s for a manager',
  (from, to, verdict) => {
    expect(checkTransition(subject(from, { live: true, assigneeId: 'usr_x' }), to, manager)).toBe(verdict);
  },
);

// An assigned contributor can withdraw a text from review. All other verdicts are those of an unassigned text.
test.each(pairsWith((_from, _to, unassigned) => (unassigned === mine ? ok : unassigned)))(
  'moving an assigned text from %s to %s results in %s for its assignee',
  (from, to, verdict) => {
    expect(checkTransition(subject(from, { assigneeId: contributor.id }), to, contributor)).toBe(verdict);
  },
);

test.each(pairsWith((_from, _to, unassigned) => (unassigned === none ? none : mine)))(
  'moving a text of another assignee from %s to %s results in %s for a contributor',
  (from, to, verdict) => {
    expect(checkTransition(subject(from, { assigneeId: 'usr_colleague' }), to, contributor)).toBe(verdict);
  },
);

// A contributor cannot take a live page down.
test.each(
  pairsWith((from, to, unassigned) => (from === 'in_progress' && to === 'draft' ? manage : unassigned)),
)('moving a live text from %s to %s results in %s for a contributor', (from, to, verdict) => {
  expect(checkTransition(subject(from, { live: true }), to, contributor)).toBe(verdict);
});

test('allowedTransitions returns the statuses to which a caller may move a text', () => {
  const all = ['draft', 'in_progress', 'published', 'archived'];
  expect(allowedTransitions(subject('needs_review'), manager)).toEqual(all);
  expect(allowedTransitions(subject('needs_review'), contributor)).toEqual([]);
  expect(allowedTransitions(subject('draft'), contributor)).toEqual(['in_progress', 'needs_review']);
  expect(allowedTransitions(subject('archived'), manager)).toEqual(['draft']);
});
