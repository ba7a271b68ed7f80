import type { Resource } from '../../../platform/subgraph/buildSubgraph.ts';
import { paymentMails } from './paymentMails.ts';

/** A resource without fields; it only consumes events. */
export const paymentMail: Resource = { jobs: [paymentMails] };
