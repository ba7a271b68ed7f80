import { transitions as ofListings } from '../../subgraphs/identity/listings/listing/record/states.ts';
import { transitions as ofImports } from '../../subgraphs/identity/listings/listing-import/states.ts';
import { transitions as ofMedia } from '../../subgraphs/identity/media/states.ts';
import { transitions as ofConversations } from '../../subgraphs/identity/messaging/conversation/states.ts';
import { transitions as ofReports } from '../../subgraphs/identity/moderation/report/states.ts';
import { transitions as ofChargebacks } from '../../subgraphs/identity/payments/chargeback/states.ts';
import { transitions as ofDisputes } from '../../subgraphs/identity/payments/dispute/record/states.ts';
import { transitions as ofPayments } from '../../subgraphs/identity/payments/payment/record/states.ts';
import { transitions as ofPayouts } from '../../subgraphs/identity/payments/payout/states.ts';
import { transitions as ofRefunds } from '../../subgraphs/identity/payments/refund/record/states.ts';
import { transitions as ofDealers } from '../../subgraphs/identity/people/dealer/states.ts';
import { transitions as ofVerifications } from '../../subgraphs/identity/people/dealer-verification/states.ts';
import { transitions as ofSessions } from '../../subgraphs/identity/people/session/states.ts';
import { transitions as ofKeys } from '../../subgraphs/identity/people/signing-key/states.ts';
import { transitions as ofUsers } from '../../subgraphs/identity/people/user/states.ts';
import { transitions as ofExports } from '../../subgraphs/identity/privacy/data-export/states.ts';
import { transitions as ofAuditJobs } from '../../subgraphs/seo/audits/job/states.ts';
import { transitions as ofTranslations } from '../../subgraphs/translation/records/statusMachine.ts';

/** A transition between two states. */
export interface Way {
  readonly from: string;
  readonly to: string;
  /** Trigger of the transition; several transitions may differ by it. */
  readonly by?: string;
}

/** The states of one kind of record, as its resource knows them. */
export interface StateTable {
  /** Name of its drawing. */
  readonly name: string;
  readonly title: string;
  readonly words: string;
  /** State of a new record. */
  readonly initial: string;
  readonly ways: readonly Way[];
}

const triples = (rows: readonly (readonly [string, string, string])[]): Way[] =>
  rows.map(([from, to, by]) => ({ from, to, by }));

const rules = {
  contribute: 'contributor',
  contribute_unless_live: 'contributor, unless it is public',
  assignee: 'assignee',
  manage: 'manager',
} as const;

/**
 * All tables of states that the product uses, in reading order. The tables themselves are drawn, so a drawing cannot
 * show a transition that the code refuses.
 */
export const stateTables: readonly StateTable[] = [
  {
    name: 'listing',
    title: 'Listing',
    words:
      'Active and reserved listings are public. If the installation reviews listings first, publishing leads to `pending_review`.',
    initial: 'draft',
    ways: ofListings,
  },
  {
    name: 'translation',
    title: 'Translation',
    words:
      'The arrows name who may make a transition; a manager may make all of them. A published translation is public until it is taken down.',
    initial: 'draft',
    ways: Object.entries(ofTranslations).flatMap(([from, targets]) =>
      Object.entries(targets).map(([to, rule]) => ({ from, to, by: rules[rule] })),
    ),
  },
  {
    name: 'payment',
    title: 'Payment',
    words: 'The provider, the payer or a timeout changes the state. See [payments](payments.md).',
    initial: 'requires_payment_method',
    ways: ofPayments,
  },
  {
    name: 'refund',
    title: 'Refund',
    words: 'A succeeded refund becomes failed if the payer’s bank returns the money.',
    initial: 'pending',
    ways: ofRefunds,
  },
  {
    name: 'dispute',
    title: 'Dispute',
    words: '`won` and `lost` are from the dealer’s point of view.',
    initial: 'needs_response',
    ways: ofDisputes,
  },
  {
    name: 'chargeback',
    title: 'Chargeback',
    words:
      'The payer’s bank decides; `won` and `lost` are from the dealer’s point of view. An inquiry moves no money. See [payments](payments.md).',
    initial: 'inquiry',
    ways: ofChargebacks,
  },
  {
    name: 'payout',
    title: 'Payout',
    words: 'Money that is on hold, in transit or paid out. See [the ledger](ledger.md).',
    initial: 'pending',
    ways: ofPayouts,
  },
  {
    name: 'user',
    title: 'Account',
    words: 'A suspended user who requests deletion and cancels it is suspended again.',
    initial: 'unverified',
    ways: ofUsers,
  },
  {
    name: 'dealer',
    title: 'Dealer',
    words: 'A dealer can sell while it is active.',
    initial: 'onboarding',
    ways: ofDealers,
  },
  {
    name: 'dealer-verification',
    title: 'Verification of a dealer',
    words: 'A final rejection has no further transition.',
    initial: 'not_started',
    ways: ofVerifications,
  },
  {
    name: 'media',
    title: 'File',
    words: 'A file is available when it is ready. See [files](media.md).',
    initial: 'awaiting_upload',
    ways: ofMedia,
  },
  {
    name: 'audit-job',
    title: 'Audit job',
    words:
      'A job never fails as a whole: its items fail, and a retry reopens the job. See [audit jobs](audit-jobs.md).',
    initial: 'pending',
    ways: triples(ofAuditJobs),
  },
  {
    name: 'conversation',
    title: 'Conversation',
    words:
      'A blocked user is not informed and still sees the conversation as open. See [messages](messaging.md).',
    initial: 'open',
    ways: ofConversations,
  },
  {
    name: 'report',
    title: 'Report',
    words:
      'A decision is final. The affected users can appeal, which creates another report. See [moderation](moderation.md).',
    initial: 'open',
    ways: ofReports,
  },
  {
    name: 'listing-import',
    title: 'Import of a feed',
    words:
      'If the worker of an import is killed, another worker takes over. An import is canceled if the dealer was suspended before it started. See [feeds](../how-to/feed-import.md).',
    initial: 'queued',
    ways: ofImports,
  },
  {
    name: 'data-export',
    title: 'Export of personal data',
    words: 'The archive expires after seven days. The record of the export is kept longer.',
    initial: 'queued',
    ways: ofExports,
  },
  {
    name: 'session',
    title: 'Session',
    words:
      'The state is computed from the timestamps of a session and the stored reason of its end. See [signing in](../how-to/signing-in.md).',
    initial: 'active',
    ways: ofSessions,
  },
  {
    name: 'signing-key',
    title: 'Signing key',
    words:
      'The first key of a deployment signs immediately. A key verifies tokens while it is `next`, `current` or `previous`. See [keys](../how-to/keys.md).',
    initial: 'next',
    ways: ofKeys,
  },
];
