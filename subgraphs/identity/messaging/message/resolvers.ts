import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import type {
  MessageAuthorResolvers,
  MessageResolvers,
  MutationResolvers,
  QueryResolvers,
} from '../../identity.generated.ts';
import type { IdentityResource } from '../../kernel/personal-data/PersonalData.ts';
import { mediaLoader } from '../../media/mediaLoader.ts';
import { conversationLoader, ownSideOf } from '../conversation/policy.ts';
import { isNamed, nameOf } from '../conversation/resolvers.ts';
import { messages } from './messages.ts';
import { MessageModel, type MessageRecord } from './model.ts';
import { personalData } from './personalData.ts';
import { messagePolicy } from './policy.ts';
import { retractMessage } from './retractMessage.ts';
import { sendMessage } from './sendMessage.ts';
import { setReadMarker } from './setReadMarker.ts';
import { startConversation } from './startConversation.ts';

const Query: QueryResolvers = {
  messages: (_, args, context) => messages(args, context),
};

const Mutation: MutationResolvers = {
  startConversation: (_, { input }, context) => startConversation(input, context),
  sendMessage: (_, { input }, context) => sendMessage(input, context),
  retractMessage: (_, { input }, context) => retractMessage(input, context),
  setReadMarker: async (_, { input }, context) => ({ conversation: await setReadMarker(input, context) }),
};

const Message: MessageResolvers = {
  clientMessageId: ({ clientMessageId, authorId }, _, { viewer }) =>
    authorId === viewer.id ? (clientMessageId ?? null) : null,
  author: (message) => message,
  attachments: findAttachments,
};

/** Returns the attached files. A blocked file is omitted. */
async function findAttachments({ mediaIds }: MessageRecord, _: unknown, context: RequestContext) {
  const files = await Promise.all(mediaIds.map((id) => context.loader(mediaLoader).load(id)));
  return files.flatMap((file) =>
    file?.state === 'ready'
      ? [
          {
            mediaId: file._id,
            kind: file.kind,
            filename: file.filename,
            contentType: file.contentType,
            byteSize: file.byteSize,
            width: file.width,
            height: file.height,
          },
        ]
      : [],
  );
}

/** Parent of the resolvers of `MessageAuthor`. */
export type MessageAuthorParent = Pick<MessageRecord, 'authorId' | 'side' | 'conversationId'>;

const MessageAuthor: MessageAuthorResolvers = {
  displayName: ({ authorId }, _, context) => nameOf(authorId, context),
  userId: async ({ authorId, side, conversationId }, _, context) => {
    const conversation = await context.loader(conversationLoader).load(conversationId);
    if (!conversation) return null;
    return isNamed(conversation, ownSideOf(context.viewer, conversation), side) ? authorId : null;
  },
};

export const message: IdentityResource = {
  resolvers: { Query, Mutation, Message, MessageAuthor },
  policies: { Message: messagePolicy },
  models: [MessageModel],
  person: personalData,
};
