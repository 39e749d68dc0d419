#!/usr/bin/env node
import { main } from './main.js';

// All resources are released; open handles of packages must not keep the process running.
process.exit(await main(process.argv.slice(2)));
