import type { Resource } from '../../../platform/subgraph/buildSubgraph.ts';
import { findReference } from '../../pages/object/loadObject.ts';
import type { Resolvers } from '../../seo.generated.ts';
import { type Dismissal, dismissSeoRecommendation } from './dismissSeoRecommendation.ts';
import { DismissalModel } from './model.ts';

/** Parent of the resolvers of a dismissal. */
export type SeoDismissalParent = Dismissal;

const resolvers: Resolvers = {
  Mutation: {
    dismissSeoRecommendation: (_, { input }, context) => dismissSeoRecommendation(input, context),
  },
  SeoDismissal: {
    objectType: ({ object }) => object.type,
    objectId: ({ object }) => object.id,
    object: ({ object }, _, context) => findReference(context, object),
  },
};

/** Findings that are as they should be. */
export const dismissal: Resource = { resolvers, models: [DismissalModel] };
