import type { Status } from './model.ts';

/** Who may make a transition, besides holders of `translations:manage`. */
export type TransitionRule =
  /** Contributors. */
  | 'contribute'
  /** Contributors, unless readers see the text: it would take the page down. */
  | 'contribute_unless_live'
  /** The contributor who works on it, who may withdraw the work. */
  | 'assignee'
  /** No other caller. */
  | 'manage';

/** Every transition there is, from status to status; the same status again is no transition. */
export const transitions: Readonly<Record<Status, Readonly<Partial<Record<Status, TransitionRule>>>>> = {
  draft: {
    in_progress: 'contribute',
    needs_review: 'contribute',
    published: 'manage',
    archived: 'manage',
  },
  in_progress: {
    draft: 'contribute_unless_live',
    needs_review: 'contribute',
    published: 'manage',
    archived: 'manage',
  },
  needs_review: {
    draft: 'manage',
    in_progress: 'assignee',
    published: 'manage',
    archived: 'manage',
  },
  published: {
    draft: 'manage',
    in_progress: 'contribute',
    archived: 'manage',
  },
  archived: {
    draft: 'manage',
  },
};

/** Statuses that take a page down. */
export const takesDown: ReadonlySet<Status> = new Set(['draft', 'archived']);

/** What a transition is judged by. */
export interface TransitionSubject {
  readonly status: Status;
  /** Whether it was published and not unpublished since, regardless of who can see its object. */
  readonly live: boolean;
  readonly assigneeId: string | null;
}

/** Who wants a transition. */
export interface TransitionActor {
  readonly id: string;
  /** Whether `translations:manage` reaches the object; else `translations:contribute` does. */
  readonly manages: boolean;
}

/** Why a transition is refused: there is none, it needs another permission, or another person. */
export type TransitionVerdict = 'allowed' | 'invalid_transition' | 'transition_not_allowed' | 'not_assignee';

/** Judges one transition. Contributors act on unassigned work and on their own. */
export function checkTransition(
  subject: TransitionSubject,
  to: Status,
  actor: TransitionActor,
): TransitionVerdict {
  const rule = transitions[subject.status][to];
  if (rule === undefined) return 'invalid_transition';
  if (actor.manages) return 'allowed';
  if (!actsOnOwn(subject, actor)) return 'not_assignee';
  switch (rule) {
    case 'contribute':
      return 'allowed';
    case 'contribute_unless_live':
      return subject.live ? 'transition_not_allowed' : 'allowed';
    case 'assignee':
      return subject.assigneeId === actor.id ? 'allowed' : 'not_assignee';
    case 'manage':
      return 'transition_not_allowed';
  }
}

/** Whether a contributor may touch a text at all. */
export function actsOnOwn(
  { assigneeId }: Pick<TransitionSubject, 'assigneeId'>,
  actor: TransitionActor,
): boolean {
  return actor.manages || assigneeId === null || assigneeId === actor.id;
}

/** The statuses that an actor may set now. */
export function allowedTransitions(subject: TransitionSubject, actor: TransitionActor): Status[] {
  const next = Object.keys(transitions[subject.status]) as Status[];
  return next.filter((to) => checkTransition(subject, to, actor) === 'allowed');
}
