// The door of the repository: brings what a target needs, then runs the target.
//
//   node tooling/bootstrap/main.mjs start|test|check|bench|setup|exec [arguments]
//
// Plain Node with no dependency, because it runs before anything is installed. This file stays free of newer syntax,
// so that an old Node gets as far as the sentence below.
const oldest = 20;

if (Number(process.versions.node.split('.')[0]) < oldest) {
  console.error(`hermes: this is Node ${process.versions.node}; Node ${oldest} or newer is needed to set Hermes up.`);
  process.exitCode = 1;
} else {
  const { runTarget } = await import('./target.mjs');
  process.exitCode = await runTarget(process.argv.slice(2));
}
