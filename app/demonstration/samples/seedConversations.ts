import { createHash } from 'node:crypto';
import { seedOperation } from '../seedOperation.ts';
import { listingOf, type SampleContext } from './SampleContext.ts';

const startConversation = seedOperation(`mutation startConversation($input: StartConversationInput!) {
  startConversation(input: $input) { conversation { id } } }`);
const sendMessage = seedOperation(`mutation sendMessage($input: SendMessageInput!) {
  sendMessage(input: $input) { message { id } } }`);
const addFavorite = seedOperation(`mutation addFavorite($input: AddFavoriteInput!) {
  addFavorite(input: $input) { created } }`);
const createSavedSearch = seedOperation(`mutation createSavedSearch($input: CreateSavedSearchInput!) {
  createSavedSearch(input: $input) { savedSearch { id } } }`);

/** Conversations by the stock number of a car: messages of buyer and seller alternate, the buyer writes first. */
const conversations = {
  'CAR-0108': [
    'Hello, is the Maverick still available? I could come to Berlin on Saturday.',
    'Hello Ben, yes, it is. Saturday at 11 suits us. Shall we reserve it until then?',
    'Please do. Does it have a valid inspection?',
  ],
  'CAR-0215': [
    'Good morning, how far did the Volvo run since its last service?',
    'Good morning! 3,200 km. The invoice is in the folder of the car.',
  ],
  'CAR-0341': ['Would you take 500 euros less if I collect it this week?'],
} as const;

const favorites = {
  'CAR-0020': 'Viewing on Saturday',
  'CAR-0083': null,
  'CAR-0123': 'Ask about rust',
} as const;

/** Creates conversations, saved listings and a saved search of the buyer. */
export async function seedConversations(context: SampleContext): Promise<void> {
  const { buyer } = context.as;
  for (const [stockNumber, messages] of Object.entries(conversations)) {
    const { id: listingId, dealer } = listingOf(context, stockNumber);
    const [first, ...others] = messages;
    const { startConversation: started } = await buyer.call<{
      startConversation: { conversation: { id: string } };
    }>(startConversation, { input: { listingId, text: first, clientMessageId: messageId(listingId, 0) } });
    const conversationId = started.conversation.id;
    for (const [index, text] of others.entries()) {
      const sender = index % 2 === 0 ? dealer.caller : buyer;
      const clientMessageId = messageId(listingId, index + 1);
      await sender.call(sendMessage, { input: { conversationId, text, clientMessageId } });
    }
  }
  for (const [stockNumber, note] of Object.entries(favorites))
    await buyer.call(addFavorite, { input: { listingId: listingOf(context, stockNumber).id, note } });
  const query = { q: 'volvo', priceMax: 900_000, currency: 'EUR' };
  const idempotencyKey = 'demonstration-search';
  await buyer.call(createSavedSearch, {
    input: { name: 'Volvo below 9,000 euros', query, alert: 'DAILY', idempotencyKey },
  });
}

/** Returns the same UUID for the same message, so that a repeated start does not send it again. */
function messageId(listingId: string, index: number): string {
  const digest = createHash('sha256').update(`${listingId} ${index}`).digest('hex');
  return [
    digest.slice(0, 8),
    digest.slice(8, 12),
    `4${digest.slice(13, 16)}`,
    `8${digest.slice(17, 20)}`,
    digest.slice(20, 32),
  ].join('-');
}
