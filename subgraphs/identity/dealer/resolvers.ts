import type { DealerResolvers } from '../../../schema/identity.generated.ts';
import type { Resource } from '../../platform/subgraph/buildSubgraph.ts';
import { renderMarkdown } from '../markdown/renderMarkdown.ts';
import { upperCase } from '../upperCase.ts';
import { DealerModel, defaultLimits } from './model.ts';
import { canEditDealer, canReadDealer, dealerLoader, dealerPolicy } from './policy.ts';

const Dealer: DealerResolvers = {
  __resolveReference: ({ id }, context) => context.loader(dealerLoader).load(id),
  id: ({ _id }) => _id,
  state: ({ state }) => upperCase(state),
  locations: ({ locations }) => locations ?? [],
  members: ({ members }) => members.map((member) => ({ ...member, role: upperCase(member.role) })),
  limits: ({ limits }) => ({ ...defaultLimits, ...limits }),
  ownerId: (dealer, _, { viewer }) => (canReadDealer(viewer, dealer) ? dealer._id : null),
  viewerCanRead: (dealer, _, { viewer }) => canReadDealer(viewer, dealer),
  viewerCanEdit: (dealer, _, { viewer }) => canEditDealer(viewer, dealer),
  contentVersion: (dealer, _, { viewer }) => (canReadDealer(viewer, dealer) ? dealer.version : null),
  content: (dealer, _, { viewer, installation }) => {
    if (!canReadDealer(viewer, dealer)) return null;
    const { tradeName: title, slug, state, description } = dealer;
    return {
      languageTag: installation.locales[0],
      visibility: state === 'active' ? 'PUBLIC' : 'PRIVATE',
      url: `${installation.baseUrl}/dealers/${slug}`,
      slug,
      title,
      html: renderMarkdown(description ?? ''),
      fields: { title, description: description ?? '' },
    };
  },
};

export const dealer: Resource = {
  resolvers: { Dealer },
  policies: { Dealer: dealerPolicy },
  models: [DealerModel],
};
