import type { Status } from './model.ts';

/** Callers who may make a transition, besides holders of `translations:manage`. */
export type TransitionRule =
  /** Contributors. */
  | 'contribute'
  /** Contributors, unless the text is published, because the transition would unpublish it. */
  | 'contribute_unless_live'
  /** The contributor who works on it, who may withdraw the work. */
  | 'assignee'
  /** No other caller. */
  | 'manage';

/** All transitions, from status to status; the same status is not a transition. */
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

/** Statuses that unpublish a page. */
export const takesDown: ReadonlySet<Status> = new Set(['draft', 'archived']);

/** Data of a record that determine a transition. */
export interface TransitionSubject {
  readonly status: Status;
  /** Whether it was published and not unpublished since, regardless of who can see its object. */
  readonly live: boolean;
  readonly assigneeId: string | null;
}

/** Caller of a transition. */
export interface TransitionActor {
  readonly id: string;
  /** Whether `translations:manage` applies to the object; otherwise `translations:contribute` does. */
  readonly manages: boolean;
}

/** Result of the check: allowed, no such transition, a missing permission, or another assignee. */
export type TransitionVerdict = 'allowed' | 'invalid_transition' | 'transition_not_allowed' | 'not_assignee';

/** Returns the verdict on one transition. Contributors can act on unassigned work and on their own. */
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

/** Returns whether a contributor may edit a text. */
export function actsOnOwn(
  { assigneeId }: Pick<TransitionSubject, 'assigneeId'>,
  actor: TransitionActor,
): boolean {
  return actor.manages || assigneeId === null || assigneeId === actor.id;
}

/** Returns the statuses that an actor may currently set. */
export function allowedTransitions(subject: TransitionSubject, actor: TransitionActor): Status[] {
  const next = Object.keys(transitions[subject.status]) as Status[];
  return next.filter((to) => checkTransition(subject, to, actor) === 'allowed');
}
