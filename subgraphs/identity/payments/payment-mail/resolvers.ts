import type { Resource } from '../../../platform/subgraph/buildSubgraph.ts';
import { paymentMails } from './paymentMails.ts';

/** No fields: it listens. */
export const paymentMail: Resource = { jobs: [paymentMails] };
