import { notFound } from '../../../platform/errors/AppError.ts';
import { renderDescription } from '../../../platform/markdown/renderMarkdown.ts';
import type { DealerResolvers, MutationResolvers, QueryResolvers } from '../../identity.generated.ts';
import { onlyReads } from '../../kernel/dealer-standing/assertMayChange.ts';
import { withWords, wordsOf } from '../../kernel/object-content/wordsOf.ts';
import type { IdentityResource } from '../../kernel/personal-data/PersonalData.ts';
import { adminDealers } from './adminDealers.ts';
import { contentOf } from './contentOf.ts';
import { createDealer } from './createDealer.ts';
import { DealerModel, defaultLimits } from './model.ts';
import { personalData } from './personalData.ts';
import { canEditDealer, canReadDealer, dealerLoader, dealerPolicy } from './policy.ts';
import { closeDealer } from './standing/closeDealer.ts';
import { dealerClosingsJob } from './standing/dealerClosings.ts';
import { reinstateDealer } from './standing/reinstateDealer.ts';
import { suspendDealer } from './standing/suspendDealer.ts';
import { toLocations } from './toLocations.ts';
import { updateDealer } from './updateDealer.ts';

const Query: QueryResolvers = {
  dealer: async (_, { dealerId }, context) => {
    const dealer = await context.loader(dealerLoader).load(dealerId);
    if (!dealer) throw notFound('The dealer');
    return dealer;
  },
  adminDealers: (_, args, context) => adminDealers(args, context),
};

const Mutation: MutationResolvers = {
  createDealer: (_, { input }, context) => createDealer(input, context),
  updateDealer: async (_, { input }, context) => ({ dealer: await updateDealer(input, context) }),
  closeDealer: (_, { input }, context) => closeDealer(input, context),
  suspendDealer: (_, { input }, context) => suspendDealer(input, context),
  reinstateDealer: (_, { input }, context) => reinstateDealer(input, context),
};

const Dealer: DealerResolvers = {
  __resolveReference: async (reference, context) =>
    withWords(await context.loader(dealerLoader).load(reference.id), reference),
  descriptionHtml: ({ description }) => (description ? renderDescription(description) : null),
  locations: toLocations,
  payout: ({ payout }) =>
    payout && {
      ...payout,
      accountState: payout.accountState,
      schedule: payout.schedule,
    },
  limits: ({ limits }) => ({ ...defaultLimits, ...limits }),
  ownerId: (dealer, _, { viewer }) => (canReadDealer(viewer, dealer) ? dealer._id : null),
  viewerCanRead: (dealer, _, { viewer }) => canReadDealer(viewer, dealer),
  viewerCanEdit: (dealer, _, { viewer }) => canEditDealer(viewer, dealer),
  viewerOnlyReads: ({ _id }, _, { viewer }) => onlyReads(viewer, _id),
  contentVersion: (dealer, _, { viewer }) => (canReadDealer(viewer, dealer) ? dealer.version : null),
  content: (dealer, _, { viewer, installation }) => {
    if (!canReadDealer(viewer, dealer)) return null;
    const words = wordsOf(dealer);
    return contentOf(words ? { ...dealer, description: words.description ?? '' } : dealer, installation);
  },
};

export const dealer: IdentityResource = {
  resolvers: { Query, Mutation, Dealer },
  policies: { Dealer: dealerPolicy },
  records: { Dealer: { idType: 'dealer', read: dealerPolicy.load } },
  models: [DealerModel],
  person: personalData,
  jobs: [dealerClosingsJob],
  // A retry may reach a process that still caches the caller without the membership.
  keysByHand: ['createDealer'],
};
