#!/usr/bin/env node
import { main } from './main.js';

// Everything was given back; what a package may have left behind must not keep the process.
process.exit(await main(process.argv.slice(2)));
