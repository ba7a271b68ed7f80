import { stateMachine } from '../../../platform/states/stateMachine.ts';

/** States of a conversation; see the transitions. */
export const conversationStates = ['open', 'closed', 'blocked'] as const;

/** State of a conversation as it is stored. */
export type ConversationState = (typeof conversationStates)[number];

/** Transitions between states. The author of a block removes it; a conversation that was closed before is then open. */
export const { transitions, isAllowed } = stateMachine<
  ConversationState,
  'updateConversation' | 'sendMessage' | 'closeConversations' | 'blockUser' | 'unblockUser'
>('A conversation', conversationStates, [
  ['updateConversation', ['open'], 'closed'],
  ['closeConversations', ['open'], 'closed'],
  ['updateConversation', ['closed'], 'open'],
  ['sendMessage', ['closed'], 'open'],
  ['blockUser', ['open', 'closed'], 'blocked'],
  ['unblockUser', ['blocked'], 'open'],
]);
