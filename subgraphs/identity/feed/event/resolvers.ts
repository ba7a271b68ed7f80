import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { noteSource, outboxSource, relay } from '../../../platform/events/relay.ts';
import type { Resource } from '../../../platform/subgraph/buildSubgraph.ts';
import type {
  EventDeliveryResolvers,
  EventResolvers,
  EventResourceResolvers,
  QueryResolvers,
  SubscriptionResolvers,
} from '../../identity.generated.ts';
import { ArrivalModel, DepartureModel, type DepartureRecord } from '../../kernel/announcement/model.ts';
import { toFeed } from '../../kernel/announcement/parties.ts';
import { describeListings } from '../../listings/listing/record/describeListings.ts';
import { ListingModel } from '../../listings/listing/record/model.ts';
import { canReadDraft, listingLoader } from '../../listings/listing/record/policy.ts';
import { describeImports } from '../../listings/listing-import/describeImports.ts';
import { ListingImportModel } from '../../listings/listing-import/model.ts';
import { describeMedia } from '../../media/describeMedia.ts';
import { MediaModel } from '../../media/model.ts';
import { describeConversations } from '../../messaging/conversation/describeConversations.ts';
import { ConversationModel } from '../../messaging/conversation/model.ts';
import { conversationLoader, sideOf } from '../../messaging/conversation/policy.ts';
import { messageLoader } from '../../messaging/message/policy.ts';
import { describePages } from '../../pages/page/describePages.ts';
import { PageModel } from '../../pages/page/model.ts';
import { describeDisputes } from '../../payments/dispute/describeDisputes.ts';
import { DisputeModel } from '../../payments/dispute/record/model.ts';
import { describePayments } from '../../payments/payment/record/describePayments.ts';
import { PaymentModel } from '../../payments/payment/record/model.ts';
import { paymentLoader, paymentPolicy } from '../../payments/payment/record/policy.ts';
import { describePayouts } from '../../payments/payout/describePayouts.ts';
import { PayoutModel } from '../../payments/payout/model.ts';
import { describeRefunds } from '../../payments/refund/describeRefunds.ts';
import { RefundModel } from '../../payments/refund/record/model.ts';
import { describeDealers } from '../../people/dealer/describeDealers.ts';
import { DealerModel } from '../../people/dealer/model.ts';
import { UserModel, type UserRecord } from '../../people/user/model.ts';
import { describeArrivals } from './describeArrivals.ts';
import { events } from './events.ts';
import type { EventDeliveryParent } from './FeedStream.ts';
import { encodePlace } from './feedCursor.ts';
import { OpenStreamModel } from './model.ts';
import { myEvents } from './myEvents.ts';
import { type EventParent, toEvent } from './toEvent.ts';

/** Publishes the states of accounts, without personal data. */
const describeUsers = async (users: readonly UserRecord[]) =>
  users.map(({ _id, version }) => ({
    object: { type: 'user' as const, id: _id },
    contentVersion: version,
    content: null,
  }));

const describeDepartures = async (departures: readonly DepartureRecord[]) =>
  departures.map(({ _id, objectType, version, parties }) => ({
    object: { type: objectType, id: _id },
    contentVersion: version,
    content: null,
    feedOf: () => toFeed(parties, {}),
  }));

const Query: QueryResolvers = {
  myEvents: (_, args, context) => myEvents(args, context),
};

const Subscription: SubscriptionResolvers = {
  events: {
    subscribe: (_, args, context, info) => events(args, context, info),
    resolve: (delivery: EventDeliveryParent) => delivery,
  },
};

const EventDelivery: EventDeliveryResolvers = {
  cursor: ({ place }, _, context) => encodePlace(context, place),
  event: ({ event }, _, context) => event && toEvent(event, context),
};

/** Resolves objects in their current state, if the viewer may still see them. */
const Event: EventResolvers = {
  conversation: ({ data }, _, context) => findConversation(data, context),
  message: async ({ resource, data }, _, context) => {
    const isSeen = resource.type === 'message' && (await findConversation(data, context)) !== null;
    return isSeen ? context.loader(messageLoader).load(resource.id) : null;
  },
  listing: async ({ resource }, _, context) => {
    if (resource.type !== 'listing') return null;
    const listing = await context.loader(listingLoader).load(resource.id);
    return listing && canReadDraft(context.viewer, listing) ? listing : null;
  },
  payment: async ({ resource, data }, _, context) => {
    const id = resource.type === 'payment' ? resource.id : data.paymentId;
    const payment = typeof id === 'string' ? await context.loader(paymentLoader).load(id) : null;
    return payment && paymentPolicy.isOwner(context.viewer, payment) ? payment : null;
  },
};

const EventResource: EventResourceResolvers = {
  resourceId: ({ id }) => id,
};

async function findConversation({ conversationId }: EventParent['data'], context: RequestContext) {
  if (typeof conversationId !== 'string') return null;
  const conversation = await context.loader(conversationLoader).load(conversationId);
  return conversation && sideOf(context.viewer, conversation) !== null ? conversation : null;
}

const arrivals = noteSource(ArrivalModel, describeArrivals);

/** Lists everything that the subgraph publishes. Each collection with an outbox has a line here. */
export const event: Resource = {
  resolvers: { Query, Subscription, Event, EventDelivery, EventResource },
  models: [DepartureModel, ArrivalModel, OpenStreamModel],
  jobs: [
    relay('identity', [
      arrivals,
      outboxSource(ListingModel, describeListings, { notes: arrivals }),
      outboxSource(DealerModel, describeDealers),
      outboxSource(PageModel, describePages),
      outboxSource(MediaModel, describeMedia),
      outboxSource(DepartureModel, describeDepartures),
      outboxSource(UserModel, describeUsers),
      outboxSource(ListingImportModel, describeImports),
      outboxSource(ConversationModel, describeConversations),
      outboxSource(PaymentModel, describePayments),
      outboxSource(RefundModel, describeRefunds),
      outboxSource(DisputeModel, describeDisputes),
      outboxSource(PayoutModel, describePayouts),
    ]),
  ],
};
