import type { QueryResolvers } from '../../identity.generated.ts';
import type { IdentityResource } from '../../kernel/personal-data/PersonalData.ts';
import { apiUsage as findApiUsage } from './apiUsage.ts';
import { deprecationMails } from './deprecation/deprecationMails.ts';
import { DeprecationNoticeModel } from './deprecation/model.ts';

const Query: QueryResolvers = {
  apiUsage: (_, args, context) => findApiUsage(args, context),
};

export const apiUsage: IdentityResource = {
  models: [DeprecationNoticeModel],
  resolvers: { Query },
  jobs: [deprecationMails],
};
