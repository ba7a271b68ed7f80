import { scoped } from '../../../platform/installation/scoped.ts';
import { findPage } from '../../../platform/pagination/findPage.ts';
import type { Resource } from '../../../platform/subgraph/buildSubgraph.ts';
import type {
  DealerBalanceResolvers,
  LedgerBalanceResolvers,
  LedgerEntryResolvers,
  LedgerProofResolvers,
  LedgerSourceResolvers,
  LedgerTransactionResolvers,
  MutationResolvers,
  QueryResolvers,
} from '../../identity.generated.ts';
import { amountsOf, dealerAccounts, type Posting } from './accounts.ts';
import { createLedgerAdjustment } from './createLedgerAdjustment.ts';
import { dealerBalance } from './dealerBalance.ts';
import { dealerLedgerEntries } from './dealerLedgerEntries.ts';
import { ledgerProof } from './ledgerProof.ts';
import {
  LedgerBalanceModel,
  LedgerProofModel,
  LedgerTransactionModel,
  type LedgerTransactionRecord,
  MaturityModel,
} from './model.ts';
import { releaseEarnings } from './releaseEarnings.ts';

/** Parent of the resolvers of `LedgerSource`. */
export type LedgerSourceParent = LedgerTransactionRecord['source'];

const Query: QueryResolvers = {
  dealerBalance: (_, { dealerId }, context) => dealerBalance(dealerId, context),
  dealerLedgerEntries: (_, args, context) => dealerLedgerEntries(args, context),
  ledgerProofs: (_, { first, after }, context) =>
    findPage({
      context,
      collection: scoped(LedgerProofModel, context.installationId),
      filter: {},
      sort: [{ key: 'at', direction: -1 }],
      first,
      after,
    }),
};

const Mutation: MutationResolvers = {
  createLedgerAdjustment: (_, { input }, context) => createLedgerAdjustment(input, context),
};

const DealerBalance: DealerBalanceResolvers = {
  dealerId: ({ dealer }) => dealer._id,
  payoutAccountState: ({ dealer }) => dealer.payout.accountState,
  requirementsDue: ({ dealer }) => dealer.payout.requirementsDue,
};

const LedgerBalance: LedgerBalanceResolvers = {
  pending: ({ accounts }) => accounts.pending,
  available: ({ accounts }) => accounts.available,
  held: ({ accounts }) => accounts.held,
  inPayout: ({ accounts }) => accounts.in_payout,
};

/** Parent of the resolvers of `LedgerEntry`. */
export type LedgerEntryParent = LedgerTransactionRecord;

const amounts = ({ postings, dealerId }: LedgerEntryParent) => amountsOf(postings, dealerId ?? '');

const LedgerEntry: LedgerEntryResolvers = {
  pending: (entry) => amounts(entry).pending,
  available: (entry) => amounts(entry).available,
  held: (entry) => amounts(entry).held,
  inPayout: (entry) => amounts(entry).in_payout,
  total: (entry) => {
    const added = amounts(entry);
    return dealerAccounts.reduce((total, name) => total + added[name], 0);
  },
};

const toLines = (postings: readonly Posting[]) =>
  postings.map(({ account, amount, currency }) => ({ account, amount: { amount, currency } }));

const LedgerTransaction: LedgerTransactionResolvers = {
  postings: ({ postings }) => toLines(postings),
};

const LedgerSource: LedgerSourceResolvers = {
  sourceId: ({ id }) => id,
};

const LedgerProof: LedgerProofResolvers = {
  house: ({ house }) => toLines(house),
};

export const ledger: Resource = {
  resolvers: {
    Query,
    Mutation,
    DealerBalance,
    LedgerBalance,
    LedgerEntry,
    LedgerTransaction,
    LedgerSource,
    LedgerProof,
  },
  models: [LedgerTransactionModel, LedgerBalanceModel, MaturityModel, LedgerProofModel],
  jobs: [releaseEarnings, ledgerProof],
};
