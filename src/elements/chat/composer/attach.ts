// What it takes to attach images: a chunk of its own, which loads with the first one.

export { readImages } from '../parts/attachments/read-images.js';

import '../parts/attachments/pa-chat-attachments.js';
