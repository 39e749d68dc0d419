#!/usr/bin/env node
import { main } from './main.js';

// All resources are released at this point. Exit explicitly, so that open handles of packages do not keep the process
// running.
process.exit(await main(process.argv.slice(2)));
