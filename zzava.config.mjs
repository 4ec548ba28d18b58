export default {files:['dist/zz/*.test.mjs'], workerThreads: process.env.WT==='1', extensions:['mjs'], ...(process.env.NA && {nodeArguments: process.env.NA.split(' ')})};
