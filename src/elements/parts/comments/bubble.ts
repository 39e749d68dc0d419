/** Path of the Lucide icon (ISC license) for comments, 24 by 24. */
export const bubble = 'M21 15a2 2 0 0 1-2 2H7l-4 4V5a2 2 0 0 1 2-2h14a2 2 0 0 1 2 2z';
