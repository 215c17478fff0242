# cmake -D FOLDER=build/npm -D MANIFEST=folder of package.json -P fetch_npm.cmake: FOLDER/node_modules becomes what
# package-lock.json says, checked by its hashes; no script of a package runs. When that cannot be, it says so once and
# succeeds: the page is then built without its libraries. FOLDER/stamp tells when it was done.
find_program(NPM npm)
file(MAKE_DIRECTORY ${FOLDER})
file(REMOVE_RECURSE ${FOLDER}/node_modules)
file(COPY ${MANIFEST}/package.json ${MANIFEST}/package-lock.json DESTINATION ${FOLDER})
set(failed "npm is not installed (apt-get install npm)")
if(NPM)
  execute_process(
    COMMAND ${NPM} ci --ignore-scripts --no-audit --no-fund --loglevel=error --fetch-retries=1 --fetch-timeout=60000
    WORKING_DIRECTORY ${FOLDER} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output TIMEOUT 300)
  set(failed "")
  if(NOT result EQUAL 0)
    string(STRIP "${output}" output)
    set(failed "npm ci failed (${result}): ${output}")
  endif()
endif()
if(failed)
  file(REMOVE_RECURSE ${FOLDER}/node_modules)
  message(NOTICE "tuned-server: its page is built without charts, colours and diffs; everything else works.\n"
                 "  Reason: ${failed}\n  Remedy: make the registry of npm reachable, remove ${FOLDER}, build again.")
endif()
file(TOUCH ${FOLDER}/stamp)
