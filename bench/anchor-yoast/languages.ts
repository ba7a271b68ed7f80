/** Languages of the handbook that both engines know. */
export const languages = 'en de fr es it nl pt ru pl ar ja sv cs tr id fa ca nb'.split(' ');
